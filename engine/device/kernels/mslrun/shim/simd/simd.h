// The shading language's types come with metal_stdlib.
#pragma once
